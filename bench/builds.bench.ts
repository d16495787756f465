import { withDatabases } from './databases.ts'
import { fill, fleet, vastName } from './fill.ts'
import { Client, serve, type Served } from './fleet.ts'
import { inTurns, markdown, ms, table, type Times } from './measure.ts'

const rounds = Number(process.env['GANTRY_BENCH_ROUNDS'] ?? 2000)
/** The entry of a build to compare with, such as that of the commit before. */
const other = process.env['GANTRY_BENCH_OTHER']
const concurrent = 16

/**
 * A view and a list by two builds, whose servers share one database and take turns: what slows the machine slows both
 * alike. This build has two servers, whose ratio shows how far figures differ for no reason.
 */
export default async function measure(): Promise<void> {
  if (!other) return console.log('skipped: GANTRY_BENCH_OTHER names no build to compare with')
  await withDatabases(async (databases) => {
    const postgres = databases.find(({ name }) => name === 'PostgreSQL')
    if (!postgres) return
    const filling = await postgres.open()
    await fill(filling.dialect)
    await filling.close()
    const servers: Served[] = []
    try {
      const clients: Record<Build, Client[]> = { 'this build': [], 'this again': [], 'the other': [] }
      for (const build of builds) {
        const server = await serve(postgres.args, build === 'the other' ? other : undefined)
        servers.push(server)
        for (let n = 0; n < concurrent; n++) {
          const client = new Client(server.port)
          await client.signIn()
          clients[build].push(client)
        }
      }
      await compare('view by name', clients, (round) => `/v1/instances/${anyName(round)}?project=vast`)
      await compare('list of 50', clients, () => '/v1/instances?project=vast&limit=50')
      await compare('list of 5', clients, () => '/v1/instances?project=vast&limit=5')
    } finally {
      for (const server of servers) await server.stop()
    }
  })
}

const builds = ['this build', 'this again', 'the other'] as const
type Build = (typeof builds)[number]

const anyName = (round: number): string => vastName((round * 7919) % fleet.vast)

async function compare(
  call: string,
  clients: Record<Build, Client[]>,
  path: (round: number) => string,
): Promise<void> {
  const alone = await inTurns(
    rounds,
    eachBuild((build) => (round) => clients[build][0]?.send('GET', path(round)) ?? Promise.resolve()),
  )
  const together = await inTurns(
    rounds / concurrent,
    eachBuild(
      (build) => (round) =>
        Promise.all(
          clients[build].map((client, index) => client.send('GET', path(round * concurrent + index))),
        ),
    ),
  )
  const row = (build: Build, clientCount: number, taken: Record<Build, Times>) => ({
    call,
    clients: clientCount,
    build,
    p10: ms(taken[build].p10),
    p50: ms(taken[build].p50),
    p95: ms(taken[build].p95),
    'ratio p10': (taken[build].p10 / taken['this build'].p10).toFixed(2),
    'ratio p50': (taken[build].p50 / taken['this build'].p50).toFixed(2),
  })
  const printed = [
    ...builds.map((build) => row(build, 1, alone)),
    ...builds.map((build) => row(build, concurrent, together)),
  ]
  table(printed)
  console.log(`\n${markdown(printed)}\n`)
}

const eachBuild = <Value>(of: (build: Build) => Value): Record<Build, Value> => ({
  'this build': of('this build'),
  'this again': of('this again'),
  'the other': of('the other'),
})
