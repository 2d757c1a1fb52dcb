// One state, changed by actions only, with all the states before and behind it; every change is told to those who listen.

/** A history of states: those at the places of `states` as far as they are known, and the place where one is. */
export const startHistory = (state, place = 0) => {
  const states = [];
  states[place] = state;
  return { states, place };
};

/** After a step on, what was undone before it is gone. */
export const addState = ({ states, place }, state) => ({ states: [...states.slice(0, place + 1), state], place: place + 1 });

/** Another state at the same place: what follows stays. */
export const replaceState = ({ states, place }, state) => ({ states: Object.assign([...states], { [place]: state }), place });

/** At another place; `state` is what is there if the history does not know it. */
export const goTo = ({ states }, place, state) => replaceState({ states, place }, states[place] ?? state);

export const getState = ({ states, place }) => states[place];
export const canUndo = ({ place }) => place > 0;
export const canRedo = ({ states, place }) => place < states.length - 1;

/**
 * A store: its state, `change(changes, {replace})`, `undo()`, `redo()`, `link(changes)`, `listen(told)`. `apply` makes a state of one and
 * changes, and `write` its address. A browser that has a history of its own is told of every state by `push(address, place, replace)`,
 * asked by `travel(step)` to go there, and says by `arrive(place, state)` where it is, whoever sent it: both are always one.
 */
export function createStore(state, { write, place = 0, push = () => {}, travel = null, apply = (before, changes) => ({ ...before, ...changes }) }) {
  const listeners = [];
  let history = startHistory(state, place);

  function set(next) {
    const before = getState(history);
    history = next;
    for (const listener of listeners) listener(getState(history), before);
  }

  // A step on, which the browser may have made already; or the same place, where the address says no more than before.
  function advance(next, { replace = false, made = false }) {
    const stays = replace || write(next) === write(store.state);
    const changed = (stays ? replaceState : addState)(history, next);
    push(write(next), changed.place, stays || made);
    set(changed);
  }

  const go = (step) => (travel ? travel(step) : store.arrive(history.place + step));

  const store = {
    get state() { return getState(history); },
    get canUndo() { return canUndo(history); },
    get canRedo() { return canRedo(history); },
    /** Set some fields; `replace` leaves no step in the history, nor does what changes nothing that an address says. */
    change: (changes, { replace = false } = {}) => advance(apply(store.state, changes), { replace }),
    /** Take over a whole state, of an address that somebody has gone to. */
    visit: (whole) => advance(whole, { made: true }),
    undo: () => store.canUndo && go(-1),
    redo: () => store.canRedo && go(1),
    /** Be at a place of the history, whose state, if it is not known, is this one. */
    arrive: (there, whole) => there !== history.place && set(goTo(history, there, whole)),
    /** The address of the state as it would be after some changes: what a link leads to. */
    link: (changes) => write(apply(store.state, changes)),
    listen: (listener) => listeners.push(listener),
  };
  return store;
}
