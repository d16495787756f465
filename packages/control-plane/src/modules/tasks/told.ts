import type { Cx } from '../../context/cx.ts'
import { taskSources } from '../tasks.gen.ts'
import type { Begun, Told } from './source.ts'

export const sourceOf = new Map(taskSources.map((source) => [source.kind, source]))

/** What the sources know of these tasks, by the changes that began them. */
export async function toldOf(cx: Cx, begun: readonly Begun[]): Promise<Map<string, Told>> {
  const told = new Map<string, Told>()
  for (const [kind, source] of sourceOf) {
    const own = begun.filter(({ task }) => task === kind)
    if (own.length > 0) for (const [id, one] of await source.read(cx, own)) told.set(id, one)
  }
  return told
}
