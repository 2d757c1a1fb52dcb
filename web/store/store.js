// One state, changed by actions only. Every change is told to those who listen; the browser's history undoes it.

/** A store: its state, `change(changes, {replace})`, `link(changes)`, `listen(told)`. `apply` makes a state of one and changes. */
export function createStore(state, { write, push = () => {}, apply = (before, changes) => ({ ...before, ...changes }) }) {
  const listeners = [];
  const store = {
    state,
    /** Set some fields; `replace` leaves no step in the history. */
    change(changes, { replace = false } = {}) {
      const before = store.state;
      store.state = apply(before, changes);
      push(write(store.state), replace);
      for (const listener of listeners) listener(store.state, before);
    },
    /** Take over a whole state, such as that of an address that was gone back to. */
    restore(whole) {
      const before = store.state;
      store.state = whole;
      for (const listener of listeners) listener(store.state, before);
    },
    /** The address of the state as it would be after some changes: what a link leads to. */
    link: (changes) => write(apply(store.state, changes)),
    listen: (listener) => listeners.push(listener),
  };
  return store;
}
