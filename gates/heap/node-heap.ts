import { WebSocket } from 'ws'

interface Answer {
  id?: number
  method?: string
  params?: { sessionId?: string; message?: string }
  result?: unknown
  error?: { message: string }
}

/** The heaps of a Node process with an open inspector: the main thread's and its workers'. */
export class NodeHeap {
  readonly #socket: WebSocket
  readonly #waiting = new Map<string, (answer: Answer) => void>()
  readonly #workers: string[] = []
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => this.#receive('', data.toString()))
  }

  static async open(url: string): Promise<NodeHeap> {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    const heap = new NodeHeap(socket)
    await heap.#ask('', 'NodeWorker.enable', { waitForDebuggerOnStart: false })
    return heap
  }

  /** Bytes in use after a collection. */
  async used(): Promise<{ main: number; workers: number }> {
    const [main = 0, ...workers] = await Promise.all(
      ['', ...this.#workers].map((thread) => this.#usedBy(thread)),
    )
    return { main, workers: workers.reduce((sum, bytes) => sum + bytes, 0) }
  }

  close(): void {
    this.#socket.close()
  }

  async #usedBy(thread: string): Promise<number> {
    await this.#ask(thread, 'HeapProfiler.collectGarbage')
    // The next collection frees what finalizers released.
    await this.#ask(thread, 'HeapProfiler.collectGarbage')
    const { usedSize } = (await this.#ask(thread, 'Runtime.getHeapUsage')) as { usedSize: number }
    return usedSize
  }

  /** A worker's messages are nested in those of the main thread. */
  #ask(thread: string, method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#last
    const message = { id, method, params }
    const answered = new Promise((resolve, reject) =>
      this.#waiting.set(`${thread} ${id}`, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result),
      ),
    )
    if (thread === '') this.#socket.send(JSON.stringify(message))
    else
      void this.#ask('', 'NodeWorker.sendMessageToWorker', {
        sessionId: thread,
        message: JSON.stringify(message),
      })
    return answered
  }

  #receive(thread: string, text: string): void {
    const answer = JSON.parse(text) as Answer
    const { sessionId = '', message = '' } = answer.params ?? {}
    if (answer.method === 'NodeWorker.attachedToWorker') this.#workers.push(sessionId)
    if (answer.method === 'NodeWorker.receivedMessageFromWorker') this.#receive(sessionId, message)
    if (answer.id === undefined) return
    const key = `${thread} ${answer.id}`
    this.#waiting.get(key)?.(answer)
    this.#waiting.delete(key)
  }
}
