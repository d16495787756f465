import { KiB } from '../base/bytes.rules.ts'

/** What is kept of the serial output of a machine that has ended: its end, with room for a panic and what led to it. */
export const lastOutputBytes = 256 * KiB
