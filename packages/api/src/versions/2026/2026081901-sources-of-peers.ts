import { address, type Dated, omitted, reshaped, Untranslatable, variants } from '../dated.ts'

/** The own end of a session was not selected. */
export const sourcesOfPeers: Dated = {
  version: 2026081901,
  types: {
    RouterPeerType: {
      schema: (newer) =>
        variants(newer, (one, type) => [
          type === 'numbered' ? reshaped(one, ['target_addr', 'src_addr'], { ip: address }) : one,
        ]),
      down: (newer) => {
        if (newer['type'] !== 'numbered') return newer
        if (typeof newer['src_addr'] === 'string')
          throw new Untranslatable(
            400,
            'InvalidRequest',
            `the BGP peer ${String(newer['target_addr'])} has the source address ${newer['src_addr']}, which this version cannot tell`,
          )
        return { ...omitted(newer, ['target_addr', 'src_addr']), ip: newer['target_addr'] }
      },
      up: (older) =>
        older['type'] === 'numbered' ? { ...omitted(older, ['ip']), target_addr: older['ip'] } : older,
    },
  },
}
