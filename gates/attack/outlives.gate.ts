import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Client } from '../../e2e/support/client.ts'
import { okay } from './requests.ts'
import { describeAttacks } from './stage.ts'

const GiB = 1024 ** 3
const mayNotStay = { code: 1008, reason: 'you may no longer use this console' }

describeAttacks('use a serial console for longer than its role or session', (stage) => {
  const { gantry, admin, member } = stage
  const inProject = '?project=playground'

  const runStateOf = async (name: string) =>
    (await member.read<{ run_state: string }>(`/v1/instances/${name}${inProject}`)).run_state
  const open = async (who: Client) => {
    const url = gantry.url.replace('http:', 'ws:')
    const socket = new WebSocket(
      `${url}/v1/instances/typed/serial-console/stream${inProject}&most_recent=0`,
      {
        headers: who.headers,
      },
    )
    let text = ''
    socket.on('message', (bytes: Buffer) => (text += bytes.toString()))
    const closed = new Promise<{ code: number; reason: string }>((resolve) =>
      socket.once('close', (code: number, reason: Buffer) => resolve({ code, reason: reason.toString() })),
    )
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return { socket, closed, text: () => text }
  }

  test('the change that ends the right closes the console, and no later keystroke arrives', async () => {
    await okay(
      await member.send('POST', `/v1/instances${inProject}`, {
        name: 'typed',
        description: '',
        hostname: 'typed',
        ncpus: 1,
        memory: GiB,
      }),
    )
    await expect.poll(() => runStateOf('typed'), { timeout: 60_000 }).toBe('running')
    const watching = await open(member)
    for (const [name, end] of [
      ['demoted', (id: string) => demote(id)],
      ['leaver', (_: string, who: Client) => who.send('POST', '/v1/logout')],
      ['deleted', (id: string) => admin.send('DELETE', `${localUsers}/${id}?silo=demo`)],
    ] as const) {
      const typist = await stage.newUser(name, { silo: 'collaborator' })
      const { id } = await typist.read<{ id: string }>('/v1/me')
      const line = await open(typist)
      line.socket.send(Buffer.from(`early-${name}`))
      await expect.poll(watching.text, { timeout: 30_000 }).toContain(`early-${name}`)
      await okay(await end(id, typist))
      line.socket.send(Buffer.from(`late-${name}`))
      expect(await line.closed).toEqual(mayNotStay)
      watching.socket.send(Buffer.from(`then-${name}`))
      await expect.poll(watching.text, { timeout: 30_000 }).toContain(`then-${name}`)
      expect(watching.text()).not.toContain(`late-${name}`)
    }
    // No other user lost anything.
    expect(watching.socket.readyState).toBe(WebSocket.OPEN)
    watching.socket.close()
  })

  const localUsers = '/v1/system/identity-providers/local/users'
  async function demote(id: string): Promise<Response> {
    const { role_assignments } = await admin.read<{ role_assignments: { identity_id: string }[] }>(
      '/v1/policy',
    )
    return admin.send('PUT', '/v1/policy', {
      role_assignments: role_assignments.filter(({ identity_id }) => identity_id !== id),
    })
  }
})
