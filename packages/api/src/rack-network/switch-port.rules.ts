/** Ports to the outside on each switch. */
export const portsPerSwitch = 32
export const portName = (index: number): string => `qsfp${index}`

export const portGeometries = ['qsfp28x1', 'qsfp28x2', 'sfp28x4'] as const
export type PortGeometry = (typeof portGeometries)[number]
/** How many links a port has in each geometry; they are named `phy0` and up. */
export const linksOfGeometry: Readonly<Record<PortGeometry, number>> = {
  qsfp28x1: 1,
  qsfp28x2: 2,
  sfp28x4: 4,
}

export const linkSpeeds = [
  'speed0_g',
  'speed1_g',
  'speed10_g',
  'speed25_g',
  'speed40_g',
  'speed50_g',
  'speed100_g',
  'speed200_g',
  'speed400_g',
] as const
export type LinkSpeed = (typeof linkSpeeds)[number]
/** `speed100_g` is 100 Gbit/s. */
export const gigabitsOf = (speed: LinkSpeed): number => Number(/\d+/.exec(speed)?.[0])

export const linkFecs = ['firecode', 'none', 'rs'] as const
export type LinkFec = (typeof linkFecs)[number]

export const interfaceKinds = ['primary', 'vlan', 'loopback'] as const

/** 802.1Q tags have 12 bits. */
export const maxVlanId = 4095

/** The timers of a BGP session that suit most peers, in seconds. */
export const peerTimers = {
  hold_time: 6,
  idle_hold_time: 3,
  delay_open: 0,
  connect_retry: 3,
  keepalive: 2,
} as const

/** Maximum length of a BGP session's MD5 key, in characters. */
export const md5KeyMax = 80
/** The problem with the MD5 key of a BGP session. */
export function md5KeyProblem(key: string): string | undefined {
  if (key.length > md5KeyMax) return `may contain at most ${md5KeyMax} characters`
  return /^[\x20-\x7e]*$/.test(key) ? undefined : 'may contain only printable ASCII characters'
}
