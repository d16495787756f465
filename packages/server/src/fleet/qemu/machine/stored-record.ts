import { type MachineRecord, writeRecord } from './record.ts'

/** The record of a machine in its folder; changes are sequential. */
export class StoredRecord {
  #current: MachineRecord
  #written: Promise<unknown> = Promise.resolve()
  readonly #folder: string
  readonly #onReport: () => void

  constructor(folder: string, current: MachineRecord, onReport: () => void) {
    this.#folder = folder
    this.#current = current
    this.#onReport = onReport
  }

  get current(): MachineRecord {
    return this.#current
  }

  /** Changes the record, which is on disk before it is visible. Records of machines to be destroyed are final. */
  async update(change: (was: MachineRecord) => MachineRecord): Promise<void> {
    const write = this.#written.then(async () => {
      const was = this.#current
      const changed = was.destroyed ? was : change(was)
      if (changed === was) return
      const next = { ...changed, revision: was.revision + 1 }
      await writeRecord(this.#folder, next)
      this.#current = next
      if (next.sequence !== was.sequence) this.#onReport()
    })
    this.#written = write.catch(() => {})
    await write
  }

  /** Resolves when all changes so far are on disk. */
  async settled(): Promise<void> {
    await this.#written
  }
}
