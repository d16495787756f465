// Speaks for a guest, in whose network namespace it runs: serves until it is killed, or asks once and prints the answer.
import dgram from 'node:dgram'
import dns from 'node:dns/promises'
import net from 'node:net'

const waitMs = 3000
const [what, ...args] = process.argv.slice(2)
/** @param {unknown} value */
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)

/**
 * The code of a failed call.
 * @param {NodeJS.ErrnoException} error
 */
const codeOf = ({ code }) => ({ error: code })

/**
 * Tells each client who the two of them are, then returns what it sends.
 * @param {string} port
 * @param {string} own
 * @param {string} server
 */
function serveTcp(port, own, server) {
  net
    .createServer((socket) => {
      socket.on('error', () => {})
      socket.write(`${JSON.stringify({ server, client: socket.remoteAddress, port: socket.remotePort })}\n`)
      socket.pipe(socket)
    })
    .listen(Number(port), own, () => print('ready'))
}

/**
 * @param {string} port
 * @param {string} own
 * @param {string} server
 */
function serveUdp(port, own, server) {
  const socket = dgram.createSocket('udp4')
  socket.on('message', (message, { address, port: from }) =>
    socket.send(
      JSON.stringify({ server, client: address, port: from, message: message.toString() }),
      from,
      address,
    ),
  )
  socket.bind(Number(port), own, () => print('ready'))
}

/**
 * Sends some bytes and waits until all of them have come back.
 * @param {string} host
 * @param {string} port
 */
function askTcp(host, port, bytes = '0', localPort = '0') {
  const data = Buffer.alloc(Number(bytes), 'x')
  let [greeting, returned] = ['', 0]
  const socket = net.connect({ host, port: Number(port), localPort: Number(localPort) })
  /** @param {unknown} value */
  const end = (value) => {
    print(value)
    process.exit()
  }
  socket.setTimeout(waitMs, () => end({ error: 'ETIMEDOUT' }))
  socket.on('error', (error) => end(codeOf(error)))
  socket.on('connect', () => socket.write(data))
  socket.on('data', (piece) => {
    const text = greeting.endsWith('\n') ? '' : piece.toString('latin1')
    const line = text === '' ? -1 : text.indexOf('\n')
    if (text !== '') greeting += line < 0 ? text : text.slice(0, line + 1)
    returned += text === '' ? piece.length : line < 0 ? 0 : text.length - line - 1
    if (greeting.endsWith('\n') && returned >= data.length) end({ ...JSON.parse(greeting), returned })
  })
}

/**
 * @param {string} host
 * @param {string} port
 */
function askUdp(host, port, message = 'hello') {
  const socket = dgram.createSocket('udp4')
  setTimeout(() => {
    print({ error: 'ETIMEDOUT' })
    process.exit()
  }, waitMs)
  /** @param {unknown} value */
  const end = (value) => {
    print(value)
    process.exit()
  }
  socket.on('message', (answer) => end(JSON.parse(answer.toString())))
  socket.on('error', (error) => end(codeOf(error)))
  // A connected socket learns of unreachable ports.
  socket.connect(Number(port), host, () => socket.send(message))
}

/**
 * @param {string} server
 * @param {string} name
 */
async function askName(server, name) {
  const resolver = new dns.Resolver({ timeout: waitMs, tries: 1 })
  resolver.setServers([server])
  print(await resolver.resolve4(name).then((addresses) => ({ addresses: addresses.sort() }), codeOf))
}

/**
 * Keeps a connection, and sends a byte for each line of its input.
 * @param {string} host
 * @param {string} port
 */
function holdTcp(host, port) {
  const socket = net.connect({ host, port: Number(port) })
  socket.on('error', (error) => print(codeOf(error)))
  let isGreeted = false
  socket.on('data', (piece) => {
    if (isGreeted) print({ returned: piece.length })
    else print(JSON.parse(piece.toString()))
    isGreeted = true
  })
  process.stdin.on('data', () => socket.write('x'))
}

/** @type {Record<string, (...args: string[]) => unknown>} */
const roles = { serveTcp, serveUdp, askTcp, askUdp, askName, holdTcp }
roles[what ?? '']?.(...args)
