// What is said to people: the line of messages, and dialogs.
import { find, make } from "./dom.js";

export class Messages {
  constructor(app) {
    this.app = app;
  }

  say(text) {
    const line = find("message");
    line.textContent = text;
    line.className = "message";
  }

  complain(error) {
    const line = find("message");
    line.textContent = error.message;
    line.className = "message error";
    this.app.store.set({ conflict: error.ids ?? [] });
    return undefined;
  }

  showText(title, text) {
    this.ask(title, make("pre", { tabindex: "0" }, text), null);
  }

  // A dialog with something in it; with `done`, a form that can be sent.
  ask(title, content, done) {
    const dialog = find("dialog");
    const close = make("button", { type: "button", onclick: () => dialog.close() }, "Close");
    const form = make("form", { onsubmit: (event) => {
      event.preventDefault();
      dialog.close();
      done?.();
    } }, make("h2", { id: "dialog-title" }, title), content, make("div", { class: "row" }, done ? make("button", {}, "OK") : null, close));
    dialog.replaceChildren(form);
    dialog.showModal();
  }
}
