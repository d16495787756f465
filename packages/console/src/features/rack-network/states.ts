import type { StateFamily } from '#/ui/data/StatePlate.tsx'
import type { FabricPort } from './queries.ts'

type Link = FabricPort['links'][number]
interface PeerState {
  state: FabricPort['peers'][number]['state']
  linkName?: string
}

/** The overall state of a port. */
export function portState({ portSettings, links, peers }: FabricPort): { word: string; family: StateFamily } {
  if (!portSettings) return { word: 'not configured', family: 'gone' }
  if (links.length === 0) return { word: 'no links', family: 'idle' }
  if (links.some(({ state }) => state === 'down')) return { word: 'link down', family: 'fail' }
  if (links.some(({ state }) => state === 'coming_up')) return { word: 'link coming up', family: 'busy' }
  if (peers.some(({ state }) => state !== 'established')) return { word: 'peer down', family: 'care' }
  return { word: 'up', family: 'ok' }
}

export const linkFamilies: Record<Link['state'], StateFamily> = { up: 'ok', coming_up: 'busy', down: 'fail' }

/** A peer has not failed while the link to it comes up. */
export function peerFamily({ state, linkName }: PeerState, links: readonly Link[] = []): StateFamily {
  if (state === 'established') return 'ok'
  if (state !== 'idle' && state !== 'active') return 'busy'
  return links.some((link) => link.linkName === linkName && link.state === 'coming_up') ? 'busy' : 'fail'
}

/** `open_sent` in words. */
export const stateWord = (state: string): string => state.replaceAll('_', ' ')

/** The networks of a text, separated by lines, spaces or commas. Single addresses get a prefix length. */
export const networksOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((each) => each !== '')
    .map((each) => (each.includes('/') ? each : `${each}/${each.includes(':') ? 128 : 32}`))

export const gigabits = (speed: number): string => `${speed} Gbit/s`
