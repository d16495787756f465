import type { PeerValue } from './values.ts'

/** Whom a session is with. */
export const peerText = (addr: PeerValue['addr']): string =>
  addr.type === 'numbered' ? addr.targetAddr : 'Unnumbered'

/** The number of links formed by the lanes of a port. */
export const geometryOptions = [
  { value: 'qsfp28x1', label: 'One link' },
  { value: 'qsfp28x2', label: 'Two links' },
  { value: 'sfp28x4', label: 'Four links' },
] as const
