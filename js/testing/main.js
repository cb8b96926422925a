/** The module `claude-code/testing`. */

import { mockClock } from "./mock_clock.js";
import { mockEnv, mockStore } from "./mock_memory.js";
import { mockSession } from "./mock_session.js";

export { expect } from "./expect.js";
export { describe, test, tier } from "./suite.js";

/** Answers for calls of the mod, each over the test's `on`; in the order of hooks they stand where they are called. */
export const mock = { clock: mockClock, store: mockStore, env: mockEnv, session: mockSession };
