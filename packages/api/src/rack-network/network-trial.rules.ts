/** Changes that can be tried, because they could cut the operator off. */
export const trialSubjects = ['allow_list', 'switch_port', 'switch_port_settings'] as const
export type TrialSubject = (typeof trialSubjects)[number]

/** `superseded`: the subject was changed meanwhile, so there was nothing to revert. */
export const trialStates = ['running', 'confirmed', 'reverted', 'superseded'] as const
export type TrialState = (typeof trialStates)[number]

/** How long a change stays without being confirmed. */
export const trialMs = 60_000
/** Maximum number of trials listed, newest first. */
export const listedTrials = 20

export const lossKinds = ['access', 'session', 'link', 'peer', 'announcement', 'route'] as const
export type LossKind = (typeof lossKinds)[number]
