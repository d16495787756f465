/** As its sled reports it: a probe on a sled that cannot be reached answers nobody. */
export const probeStates = ['running', 'unreachable'] as const
export type ProbeState = (typeof probeStates)[number]
