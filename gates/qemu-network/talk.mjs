// Speaks for a guest, in whose network namespace it runs: serves until it is killed, or asks once and prints the answer.
import dgram from 'node:dgram'
import dns from 'node:dns/promises'
import net from 'node:net'

const waitMs = 3000
const [what, ...args] = process.argv.slice(2)
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)

/** Tells each client who the two of them are, then returns what it sends. */
function serveTcp(port, own, server) {
  net
    .createServer((socket) => {
      socket.on('error', () => {})
      socket.write(`${JSON.stringify({ server, client: socket.remoteAddress, port: socket.remotePort })}\n`)
      socket.pipe(socket)
    })
    .listen(Number(port), own, () => print('ready'))
}

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

/** Sends some bytes and waits until all of them have come back. */
function askTcp(host, port, bytes = '0', localPort = '0') {
  const data = Buffer.alloc(Number(bytes), 'x')
  let [greeting, returned] = ['', 0]
  const socket = net.connect({ host, port: Number(port), localPort: Number(localPort) })
  const end = (value) => {
    print(value)
    process.exit()
  }
  socket.setTimeout(waitMs, () => end({ error: 'ETIMEDOUT' }))
  socket.on('error', ({ code }) => end({ error: code }))
  socket.on('connect', () => socket.write(data))
  socket.on('data', (piece) => {
    const text = greeting.endsWith('\n') ? '' : piece.toString('latin1')
    const line = text === '' ? -1 : text.indexOf('\n')
    if (text !== '') greeting += line < 0 ? text : text.slice(0, line + 1)
    returned += text === '' ? piece.length : line < 0 ? 0 : text.length - line - 1
    if (greeting.endsWith('\n') && returned >= data.length) end({ ...JSON.parse(greeting), returned })
  })
}

function askUdp(host, port, message = 'hello') {
  const socket = dgram.createSocket('udp4')
  setTimeout(() => {
    print({ error: 'ETIMEDOUT' })
    process.exit()
  }, waitMs)
  const end = (value) => {
    print(value)
    process.exit()
  }
  socket.on('message', (answer) => end(JSON.parse(answer.toString())))
  socket.on('error', ({ code }) => end({ error: code }))
  // A connected socket learns of unreachable ports.
  socket.connect(Number(port), host, () => socket.send(message))
}

async function askName(server, name) {
  const resolver = new dns.Resolver({ timeout: waitMs, tries: 1 })
  resolver.setServers([server])
  print(
    await resolver.resolve4(name).then(
      (addresses) => ({ addresses: addresses.sort() }),
      ({ code }) => ({ error: code }),
    ),
  )
}

/** Keeps a connection, and sends a byte for each line of its input. */
function holdTcp(host, port) {
  const socket = net.connect({ host, port: Number(port) })
  socket.on('error', ({ code }) => print({ error: code }))
  let isGreeted = false
  socket.on('data', (piece) => {
    if (isGreeted) print({ returned: piece.length })
    else print(JSON.parse(piece.toString()))
    isGreeted = true
  })
  process.stdin.on('data', () => socket.write('x'))
}

const speak = { serveTcp, serveUdp, askTcp, askUdp, askName, holdTcp }[what]
speak(...args)
