import { createConnection, type Socket } from 'node:net'
import { once } from 'node:events'

/** Values of the database protocol (RFC 7047). */
export type Atom = string | number | boolean | readonly ['uuid' | 'named-uuid', string]
export type Value =
  | Atom
  | readonly ['set', readonly Atom[]]
  | readonly ['map', readonly (readonly [Atom, Atom])[]]
export type Row = Record<string, Value>

export interface Operation {
  op: 'select' | 'insert' | 'update' | 'delete' | 'mutate'
  table: string
  where?: readonly (readonly [column: string, test: '==' | 'includes' | 'excludes', value: Value])[]
  row?: Row
  columns?: readonly string[]
  mutations?: readonly (readonly [column: string, mutator: '+=', value: Value])[]
  'uuid-name'?: string
}

export const set = (items: readonly Atom[]): Value => ['set', items]
export const map = (items: Readonly<Record<string, string>>): Value => ['map', Object.entries(items)]

interface Answer {
  id: number | string | null
  method?: string
  params?: unknown
  error?: unknown
  result?: { error?: string; details?: string; rows?: Row[] }[]
}

/** One connection to an OVSDB server, by its Unix socket. */
export class Ovsdb {
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #received = ''
  #last = 0

  private constructor(
    private readonly socket: Socket,
    private readonly database: string,
  ) {
    socket.setEncoding('utf8')
    socket.on('data', (piece: string) => this.#take(piece))
    socket.on('error', () => {})
  }

  static async open(path: string, database: string): Promise<Ovsdb> {
    const socket = createConnection(path)
    await once(socket, 'connect')
    return new Ovsdb(socket, database)
  }

  /** All operations or none; the rows that each selected. */
  async transact(operations: readonly Operation[]): Promise<Row[][]> {
    const id = (this.#last += 1)
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve))
    const complete = operations.map((operation) =>
      operation.op === 'insert' ? operation : { where: [], ...operation },
    )
    this.socket.write(JSON.stringify({ method: 'transact', params: [this.database, ...complete], id }))
    const { error, result = [] } = await answer
    const failed = result.find((one) => one?.error)
    if (error || failed) throw new Error(`the database refused it: ${JSON.stringify(error ?? failed)}`)
    return result.map(({ rows = [] }) => rows)
  }

  close(): void {
    this.socket.destroy()
  }

  /** Messages follow each other without separators. */
  #take(piece: string): void {
    this.#received += piece
    for (let end = endOfObject(this.#received); end > 0; end = endOfObject(this.#received)) {
      const answer = JSON.parse(this.#received.slice(0, end)) as Answer
      this.#received = this.#received.slice(end)
      if (answer.method === 'echo')
        this.socket.write(JSON.stringify({ id: answer.id, result: answer.params, error: null }))
      else this.#waiting.get(Number(answer.id))?.(answer)
    }
  }
}

function endOfObject(text: string): number {
  let [depth, isText] = [0, false]
  for (let n = 0; n < text.length; n++) {
    const letter = text[n]
    if (isText) {
      if (letter === '\\') n++
      else if (letter === '"') isText = false
    } else if (letter === '"') isText = true
    else if (letter === '{') depth++
    else if (letter === '}' && --depth === 0) return n + 1
  }
  return 0
}
