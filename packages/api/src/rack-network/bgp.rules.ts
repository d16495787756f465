/** For how long a peer without an address may announce itself as a router, in seconds (RFC 4861, section 6.2.1). */
export const routerLifetimeMax = 9000
/** Announcements come at least each third of it. */
export const defaultRouterLifetime = 1800

/** Equal paths to one network that a router may use at once. */
export const bgpMaxPaths = { min: 1, max: 32 } as const

export const bgpPeerStates = [
  'idle',
  'connect',
  'active',
  'open_sent',
  'open_confirm',
  'connection_collision',
  'session_setup',
  'established',
] as const
export type BgpPeerState = (typeof bgpPeerStates)[number]

export const bfdModes = ['single_hop', 'multi_hop'] as const
export type BfdMode = (typeof bfdModes)[number]
export const bfdStates = ['admin_down', 'down', 'init', 'up'] as const
export type BfdState = (typeof bfdStates)[number]
