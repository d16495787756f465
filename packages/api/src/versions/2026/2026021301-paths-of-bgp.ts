import { type Dated, without } from '../dated.ts'

export const pathsOfBgp: Dated = {
  version: 2026021301,
  types: {
    BgpConfig: without('max_paths'),
    BgpConfigCreate: without('max_paths'),
    BgpPeerStatus: without('peer_id'),
  },
}
