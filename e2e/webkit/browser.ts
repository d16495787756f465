import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import net from 'node:net'
import type { Readable } from 'node:stream'
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver'

const driverProgram = process.env.GANTRY_WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver'
const displayProgram = '/usr/bin/Xvfb'
const miniBrowsers = ['4.1', '4.0', '6.0'].map(
  (version) =>
    `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-${version}/MiniBrowser`,
)

/** WebKit as Debian packages it, with a display of its own. */
export interface WebKit {
  /** A new browser without cookies. */
  open: (locale?: string) => Promise<WebDriver>
  close: () => void
}

/** Why tests in WebKit are skipped: not every host has it. */
export function whyNoWebKit(): string | undefined {
  const missing = [driverProgram, displayProgram].find((program) => !existsSync(program))
  if (missing) return `${missing} is not installed (on Debian: webkit2gtk-driver, xvfb)`
  return miniBrowser() ? undefined : 'MiniBrowser of WebKitGTK is not installed'
}

const miniBrowser = () => miniBrowsers.find((place) => existsSync(place))

export async function startWebKit(): Promise<WebKit> {
  const display = spawn(
    displayProgram,
    ['-displayfd', '3', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  )
  const number = await firstLine(display.stdio[3] as Readable)
  const children: ChildProcess[] = [display]

  return {
    async open(locale = 'en_US.UTF-8') {
      // A driver has one session, and its browser inherits the locale.
      const port = await freePort()
      const env = { ...process.env, DISPLAY: `:${number}`, LANG: locale, LC_ALL: locale }
      children.push(
        spawn(driverProgram, ['-p', String(port)], {
          env,
          stdio: 'ignore',
        }),
      )
      await isListening(port)
      const driver = await new Builder()
        .usingServer(`http://127.0.0.1:${port}`)
        .withCapabilities(
          new Capabilities({
            browserName: 'MiniBrowser',
            'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
          }),
        )
        .build()
      await driver.manage().window().setRect({ x: 0, y: 0, width: 1440, height: 1000 })
      return driver
    },
    close() {
      for (const child of children.reverse()) child.kill()
    },
  }
}

function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text.trim())
    })
    stream.once('end', () => reject(new Error('Xvfb did not start')))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Resolves once something accepts connections, after at most ten seconds. */
async function isListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const connected = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (connected) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('WebKitWebDriver did not start')
}
