/** `mock.session`: what lands in the session. */

/**
 * Sees what passes every hook and was taken; the engine beneath still decides.
 *
 * @param {Function} on The test's.
 * @returns {{appended(): object[]}} `appended` lists what has landed so far, each as the append's event with the message
 *   as it was stored.
 */
export function mockSession(on) {
  let rows = [];
  on("session.append", async ($, e, next) => {
    const landed = await next(e);
    if (landed.deny === undefined) rows = [...rows, { ...e, message: landed.message }];
    return landed;
  });
  return { appended: () => rows };
}
