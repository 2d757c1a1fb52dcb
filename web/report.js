// The report page: data that stand in the page, one state, six views.

import { start } from "./views/report/page.js";

start(JSON.parse(document.getElementById("data").textContent));
