import { type Dated, enumeration } from '../dated.ts'

export const collisionOfPeers: Dated = {
  version: 2025121200,
  types: {
    BgpPeerState: enumeration(
      ['idle', 'connect', 'active', 'open_sent', 'open_confirm', 'session_setup', 'established'],
      (state) => (state === 'connection_collision' ? 'session_setup' : state),
    ),
  },
}
