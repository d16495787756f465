import { type Kysely, type RawBuilder, sql, type UpdateObject } from 'kysely'
import type { Services } from '../context/services.ts'
import { latestPast } from '../context/time.ts'
import type { PlainTables, Row } from '../db/tables.ts'

type LeasedTable = {
  [Name in keyof PlainTables]: PlainTables[Name] extends { lease_until: unknown } ? Name : never
}[keyof PlainTables]
type Column<Name extends LeasedTable> = keyof Row<Name> & string
type Values<Name extends LeasedTable> = UpdateObject<PlainTables, Name>
/** The database, or the plain tables of a change. */
type Writer = Kysely<PlainTables>

interface Terms<Name extends LeasedTable, Key, Token> {
  /** The column that identifies a row. */
  key: Key
  /** The column by which a holder recognises its own claim. `lease_until` serves one that is never renewed. */
  token: Token
  /** How long a process may be silent about a row before another takes over; a crash delays the work by this much. */
  ms: number
  /** Rows that are work, if others are kept as well. */
  work?: { [State in Column<Name>]?: string }
}

/**
 * Work in rows that processes share: each claims rows for a while, and those of a process that died are free afterwards.
 * Only the holder of a lease writes its row, so that one that was too slow never reports for its successor.
 */
export class Lease<
  Name extends LeasedTable,
  Key extends Column<Name> = Column<Name>,
  Token extends Column<Name> = Column<Name>,
> {
  constructor(
    protected readonly table: Name,
    protected readonly terms: Terms<Name, Key, Token>,
  ) {}

  /** A condition: no process holds the row. */
  isFree(now: Date, alias: string = this.table): RawBuilder<boolean> {
    const until = sql.ref(`${alias}.lease_until`)
    return sql`(${until} IS NULL OR ${until} < ${now})`
  }

  /**
   * Claims free rows among these, and returns them with what else is selected. A statement that looks for rows has
   * `isFree` itself, and `FOR UPDATE SKIP LOCKED`, by which processes pass each other.
   */
  async claim<More = unknown>(
    db: Writer,
    now: Date,
    which: RawBuilder<unknown>,
    { set = {}, more }: { set?: Partial<Record<Column<Name>, unknown>>; more?: RawBuilder<More> } = {},
  ): Promise<(Row<Name> & More)[]> {
    const values = Object.entries({ ...set, lease_until: this.until(now) })
    const { rows } = await sql<Row<Name> & More>`UPDATE ${sql.table(this.table)}
      SET ${sql.join(values.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
      WHERE ${which} AND ${this.isFree(now)} RETURNING *${more ? sql`, ${more}` : sql``}`.execute(db)
    return rows
  }

  /** A condition: the row is still held by this claim, and is still work. */
  isHeld(claimed: Pick<Row<Name>, Key | Token>): RawBuilder<boolean> {
    const { key, token } = this.terms
    return sql`${sql.ref(key)} = ${claimed[key]} AND ${sql.ref(token)} = ${claimed[token]}${this.isWork}`
  }

  /** Writes a held row; false if the lease has ended. */
  write(db: Writer, claimed: Pick<Row<Name>, Key | Token>, values: Values<Name>): Promise<boolean> {
    return this.update(db, claimed, values)
  }

  /** Ends the lease with its outcome: done, postponed, or, without values, for any process to claim next. */
  leave(db: Writer, claimed: Pick<Row<Name>, Key | Token>, values?: Values<Name>): Promise<boolean> {
    return this.update(db, claimed, { ...values, lease_until: null })
  }

  /**
   * Shortens leases that were written while the clock was ahead. Their holders may be at work, and renew them before
   * they end. A holder that recognises its claim by that time has lost it in any case, so the row is free at once.
   */
  async repair(db: Writer, now: Date): Promise<void> {
    const { token, ms } = this.terms
    await db
      .updateTable(this.table as 'job')
      .set({ lease_until: token === 'lease_until' ? null : this.until(now) })
      .where(sql<boolean>`lease_until > ${new Date(latestPast(now).getTime() + ms)}${this.isWork}`)
      .execute()
  }

  /** The types of a generic row cannot express its columns. */
  protected async update(
    db: Writer,
    claimed: Pick<Row<Name>, Key | Token>,
    values: object,
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable(this.table as 'job')
      .set(values)
      .where(this.isHeld(claimed))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  protected until(now: Date): Date {
    return new Date(now.getTime() + this.terms.ms)
  }

  /** Literal, as in the predicates of partial indexes. */
  private get isWork(): RawBuilder<unknown> {
    const conditions = Object.entries(this.terms.work ?? {})
    return sql.join(
      conditions.map(([column, value]) => sql` AND ${sql.ref(column)} = ${sql.lit(value)}`),
      sql``,
    )
  }
}

/** For work that may take longer than the lease, which its holder therefore renews. */
export class RenewedLease<
  Name extends LeasedTable,
  Key extends Column<Name>,
  Token extends Exclude<Column<Name>, 'lease_until'>,
> extends Lease<Name, Key, Token> {
  /** False if the lease had ended and the row is another process's, or no work any more. */
  renew(db: Writer, claimed: Pick<Row<Name>, Key | Token>, now: Date): Promise<boolean> {
    return this.update(db, claimed, { lease_until: this.until(now) })
  }

  /** Keeps the lease while the work runs. */
  async during<Result>(
    { db, clock, log }: Services,
    claimed: Pick<Row<Name>, Key | Token>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const beat = setInterval(() => {
      this.renew(db, claimed, clock()).catch((error: unknown) =>
        log.warn({ err: error, [this.table]: claimed[this.terms.key] }, 'a lease was not renewed'),
      )
    }, this.terms.ms / 3)
    try {
      return await work()
    } finally {
      clearInterval(beat)
    }
  }
}
