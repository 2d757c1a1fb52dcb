// Numbers as text, with the digits that the commands print.

/** A number that is not negative, with some digits behind the point; one halfway between two is written as the even one. */
function writeFixed(value, digits) {
  const written = value.toFixed(digits); // of two as near, the larger one
  const isHalfway = (value * 2 ** (digits + 1)) % 2 === 1;
  return isHalfway && Number(written.at(-1)) % 2 ? (value - 2 ** -20).toFixed(digits) : written;
}

/** A number with some digits behind the point; what is below nothing has a minus. */
export function writeNumber(value, digits = 2) {
  const written = writeFixed(Math.abs(value), digits);
  return value < 0 && Number(written) ? `−${written}` : written;
}

/** A difference with its sign, and with some digits behind the point. */
export function writeSigned(value, digits = 2) {
  const written = digits ? writeFixed(Math.abs(value), digits) : Math.abs(value).toLocaleString("en");
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${written}`;
}
