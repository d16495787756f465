import { connectQmp, type Qmp, type QmpEvent } from './qmp.ts'

/** The connection to QEMU's monitor, which serves one client at a time. */
export class Monitor {
  #connection: Promise<Qmp> | undefined
  readonly #sockets: string
  readonly #on: { event: (event: QmpEvent) => void; end: () => void }

  constructor(sockets: string, on: { event: (event: QmpEvent) => void; end: () => void }) {
    this.#sockets = sockets
    this.#on = on
  }

  /** Connects, unless it is connected. */
  connect(): Promise<Qmp> {
    if (this.#connection) return this.#connection
    const connection = connectQmp(this.#sockets, {
      onEvent: this.#on.event,
      onEnd: () => {
        this.#forget(connection)
        this.#on.end()
      },
    })
    this.#connection = connection
    connection.catch(() => this.#forget(connection))
    return connection
  }

  async close(): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    await connection?.then(
      (qmp) => qmp.close(),
      () => {},
    )
  }

  #forget(connection: Promise<Qmp>): void {
    if (this.#connection === connection) this.#connection = undefined
  }
}
