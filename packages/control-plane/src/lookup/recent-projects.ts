import type { FoundRow } from './find.ts'

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
