import type { StateFamily } from '#/ui/StatePlate.tsx'
import type { FabricPort } from './queries.ts'

type Peer = FabricPort['peers'][number]

/** A port as a whole, in one word. */
export function portState({ portSettings, links, peers }: FabricPort): { word: string; family: StateFamily } {
  if (!portSettings) return { word: 'not configured', family: 'gone' }
  if (links.length === 0) return { word: 'no links', family: 'idle' }
  if (links.some(({ isUp }) => !isUp)) return { word: 'link down', family: 'fail' }
  if (peers.some(({ state }) => state !== 'established')) return { word: 'peer down', family: 'care' }
  return { word: 'up', family: 'ok' }
}

export const peerFamily = ({ state }: Pick<Peer, 'state'>): StateFamily =>
  state === 'established' ? 'ok' : state === 'idle' || state === 'active' ? 'fail' : 'busy'

/** `open_sent` in words. */
export const stateWord = (state: string): string => state.replaceAll('_', ' ')

/** The addresses of a text field, one per line or separated by spaces or commas; single addresses get a width. */
export const networksOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((each) => each !== '')
    .map((each) => (each.includes('/') ? each : `${each}/${each.includes(':') ? 128 : 32}`))
