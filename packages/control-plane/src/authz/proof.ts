import { type RawBuilder, sql } from 'kysely'
import { type CredentialSource, holding, print } from './credential-text.ts'

/** What a statement reads together with a proof; `where` decides what is found and never the proof. */
interface Beside {
  columns: string
  from: string
  where: string
  /** Of `where`; those of the proof follow. */
  parameters: number
}

interface SeenProject {
  id: string
  generation: number
}

/**
 * What a request rests on without having read it itself: a caller, and perhaps a project, as this process read
 * them a moment ago. Its statement finds one row while nothing of it has changed, and none afterwards.
 */
export class Proof {
  constructor(
    private readonly source: CredentialSource,
    private readonly credential: readonly unknown[],
    private readonly print: string,
    private readonly project?: SeenProject,
  ) {}

  /** The same, resting on a project too. */
  with(project: SeenProject): Proof {
    return new Proof(this.source, this.credential, this.print, project)
  }

  get hasProject(): boolean {
    return this.project !== undefined
  }

  /** Names the text, which is the same for all requests alike. */
  get key(): string {
    return this.project ? `${this.source.table} project` : this.source.table
  }

  get bound(): unknown[] {
    const { credential, print, project } = this
    return [...credential, print, ...(project ? [project.id, project.generation] : [])]
  }

  /** A statement that proves only, or also reads what is beside it. */
  text(beside?: Beside): string {
    return beside
      ? `SELECT ${beside.columns} FROM ${this.#from()} LEFT JOIN ${beside.from} ON ${beside.where}
        WHERE ${this.#where(beside.parameters)} LIMIT 1`
      : `SELECT true AS holds FROM ${this.#from()} WHERE ${this.#where()}`
  }

  /** Rows beside the proof; if there are none, one row of nulls. */
  rows<Row>(rows: RawBuilder<Row>, order: RawBuilder<unknown>): RawBuilder<Row> {
    const { bound } = this
    // Odd pieces are the numbers of parameters.
    const where = this.#where()
      .split(/\$(\d+)/)
      .map((piece, at) => (at % 2 === 0 ? sql.raw(piece) : sql`${bound[Number(piece) - 1]}`))
    return sql<Row>`SELECT page.* FROM ${sql.raw(this.#from())} LEFT JOIN (${rows}) page ON true
      WHERE ${sql.join(where, sql``)} ORDER BY ${order}`
  }

  #from(): string {
    return `${holding(this.source.table)}${this.project ? ' JOIN project seen ON seen.time_deleted IS NULL' : ''}`
  }

  /** @param before How many parameters of the statement precede those of `bound`. */
  #where(before = 0): string {
    const next = this.credential.length + 1
    const unchanged = `${this.source.condition} AND ${print} = $${next}`
    const where = this.project
      ? `${unchanged} AND seen.id = $${next + 1} AND seen.generation = $${next + 2}`
      : unchanged
    return where.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`)
  }
}
