import { Kysely, sql } from 'kysely'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openDatabase } from '../../packages/server/src/database/open.ts'
import { flood, okay, tally } from './requests.ts'
import { describeAttacks, type Stage } from './stage.ts'

const GiB = 1024 ** 3
const attacker = '203.0.113.200'
const wrong = 'not the password of anybody'

/** Reads the database like an operator, while the server is stopped. */
async function rowsOf<Row>({ location }: Stage, query: string): Promise<readonly Row[]> {
  const { dialect } = await openDatabase(location)
  const db = new Kysely<unknown>({ dialect })
  try {
    return (await sql.raw<Row>(query).execute(db)).rows
  } finally {
    await db.destroy()
  }
}

describeAttacks('leave no trace', (stage) => {
  const { gantry, member } = stage
  const guess = async (username: string): Promise<number> => {
    const answer = await fetch(`${gantry.url}/v1/login/demo/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': attacker },
      body: JSON.stringify({ username, password: wrong }),
    })
    await answer.arrayBuffer()
    return answer.status
  }

  async function openConsole(): Promise<void> {
    const body = { name: 'talker', description: '', hostname: 'talker', ncpus: 1, memory: GiB, start: true }
    await okay(await member.send('POST', '/v1/instances?project=playground', body))
    const at = '/v1/instances/talker?project=playground'
    await expect
      .poll(async () => (await member.read<{ run_state: string }>(at)).run_state, { timeout: 60_000 })
      .toBe('running')
    const url = `${gantry.url.replace('http:', 'ws:')}/v1/instances/talker/serial-console/stream?project=playground`
    const socket = new WebSocket(url, { headers: member.headers })
    await once(socket, 'open')
    socket.send(Buffer.from('somebody\r'))
    socket.close()
    await once(socket, 'close')
  }

  test('guesses, floods and serial consoles are on record once the server has stopped', async () => {
    await openConsole()
    const strangers = await flood(5, 5, () => guess('a-name-that-nobody-has'))
    expect(tally(strangers)).toEqual({ '401': 5 })
    const tried = tally(await flood(60, 10, () => guess('viewer')))
    expect(tried['401']).toBeGreaterThan(0)
    expect(tried['429']).toBeGreaterThan(0)
    await gantry.kill('SIGTERM')

    const failed = await rowsOf<{ username: string; source_ip: string; count: string }>(
      stage,
      `SELECT username, source_ip, count(*)::int4 AS count FROM failed_sign_in GROUP BY 1, 2 ORDER BY 3`,
    )
    // Only the beginning of an unknown name is kept, because people type passwords there.
    expect(failed).toEqual([
      { username: 'a-name-t…', source_ip: attacker, count: 5 },
      { username: 'viewer', source_ip: attacker, count: tried['401'] },
    ])
    const refused = await rowsOf(
      stage,
      `SELECT operation_id, source_ip, sum(count)::int4 AS count FROM refused_often GROUP BY 1, 2`,
    )
    expect(refused).toEqual([{ operation_id: 'login_local', source_ip: attacker, count: tried['429'] }])
    const consoles = await rowsOf<{ details: { event: string } }>(
      stage,
      `SELECT details FROM audit WHERE operation_id = 'instance_serial_console_stream' ORDER BY time_completed`,
    )
    expect(consoles.map(({ details }) => details.event)).toEqual(['begin', 'end'])
    const everything = await rowsOf<{ text: string }>(
      stage,
      `SELECT row_to_json(f)::text AS text FROM failed_sign_in f UNION ALL SELECT row_to_json(a)::text FROM audit a`,
    )
    const texts = everything.map(({ text }) => text).join('\n')
    for (const never of [wrong, 'a-name-that-nobody-has', 'somebody\\r']) expect(texts).not.toContain(never)
    await gantry.start()
  })
})
