/** As its sled reports it: a probe on an unreachable sled does not answer. */
export const probeStates = ['running', 'unreachable'] as const
export type ProbeState = (typeof probeStates)[number]
