// The workbench's page: see views/workbench/application.js.
import { Application } from "./views/workbench/application.js";

const application = new Application();
application.start().catch((error) => application.messages.complain(error));
