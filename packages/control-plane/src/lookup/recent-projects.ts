import type { Cx } from '../context/cx.ts'
import { onceEach } from '../context/once-each.ts'
import type { Services } from '../context/services.ts'

/** A row with its silo and project. */
export type FoundRow = Record<string, unknown> & {
  id: unknown
  '~silo_id': string | null
  '~project_id': string | null
}

type SeenProject = FoundRow & { id: string; generation: number }

const maxKept = 1000

/**
 * Projects as this process last found them. Most lists look their project up first; for a recognised caller
 * the row is taken from here, and the statement of the list also proves that it is unchanged.
 */
export class RecentProjects {
  readonly #kept = new Map<string, SeenProject>()

  /** `row` is undefined where none was found. */
  keep(siloId: string, selector: string, row: FoundRow | undefined): void {
    const key = `${siloId} ${selector}`
    if (!row) return void this.#kept.delete(key)
    if (this.#kept.size >= maxKept) this.#kept.clear()
    // Every tracked row has both.
    this.#kept.set(key, row as SeenProject)
  }

  seen(siloId: string, selector: string): SeenProject | undefined {
    return this.#kept.get(`${siloId} ${selector}`)
  }
}

/** Those of a process. */
export const recentProjects = onceEach((_services: Services) => new RecentProjects())

/** A project as last found, for a recognised caller whose proof then covers it too. */
export function recentProject(cx: Cx, selector: string): FoundRow | undefined {
  const { actor, proof } = cx
  if (!proof || proof.hasProject || actor.kind !== 'silo_user') return undefined
  const seen = recentProjects(cx.services).seen(actor.silo_id, selector)
  if (seen) cx.proof = proof.with(seen)
  return seen
}
