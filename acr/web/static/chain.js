// Which requests belong to one conversation: each names the moment it follows.

/** The requests of the conversation that `trace` is of, oldest first, as far as they are still held. */
export function chain(trace, rows) {
  const known = rows.some((row) => row.id === trace.id) ? rows : [trace, ...rows];
  const found = [trace];
  const before = (row) => known.filter((one) => one.moment && one.moment === row.follows && one.time <= row.time);
  const after = (row) => known.filter((one) => one.follows && one.follows === row.moment && one.time >= row.time);
  for (let row = trace; (row = newest(before(row), found)); ) found.unshift(row);
  for (let row = trace; (row = newest(after(row), found)); ) found.push(row);
  return found;
}

/** Of requests that were sent again, the last one counts. */
function newest(rows, taken) {
  return rows.filter((row) => !taken.includes(row)).sort((one, two) => (one.time < two.time ? 1 : -1))[0];
}
