import { address, type Dated, omitted, reshaped, Untranslatable, without } from '../dated.ts'

export const pathsOfBgp: Dated = {
  version: 2026021301,
  types: {
    BgpConfig: without('max_paths'),
    BgpConfigCreate: without('max_paths'),
    BgpPeer: {
      schema: (newer) => reshaped(newer, ['addr', 'router_lifetime'], { addr: address }),
      down: (newer) => {
        if (newer['addr'] === null)
          throw new Untranslatable(
            400,
            'InvalidRequest',
            `the BGP peer on ${String(newer['interface_name'])} has no address, which this version cannot tell`,
          )
        return omitted(newer, ['router_lifetime'])
      },
    },
    BgpPeerStatus: without('peer_id'),
  },
}
