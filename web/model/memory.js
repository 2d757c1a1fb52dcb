// What is found once for an object stays found as long as the object does.

/**
 * A function that computes its result once for each object and further plain arguments.
 * The object is never changed, so that data stay what they were when they were read.
 */
export function remember(compute) {
  const known = new WeakMap();
  return (object, ...rest) => {
    if (!known.has(object)) known.set(object, new Map());
    const own = known.get(object);
    const name = rest.join();
    if (!own.has(name)) own.set(name, compute(object, ...rest));
    return own.get(name);
  };
}
