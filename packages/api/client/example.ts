/** Creates a disk in a project, lists the project's disks, and deletes the new one. */
import { createClient, itemsOf, op, RefusedError, unwrap } from '@gantry/client'

const [project] = process.argv.slice(2)
const { GANTRY_URL: base, GANTRY_TOKEN: token } = process.env
if (!project || !base || !token) {
  console.error('Usage: GANTRY_URL=… GANTRY_TOKEN=… node example.ts PROJECT')
  process.exit(2)
}

const client = createClient({ base, token })
try {
  const created = await unwrap(
    client(
      op.diskCreate,
      {
        query: { project },
        body: {
          name: 'scratch',
          description: 'Made by an example',
          size: 1024 ** 3,
          diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } },
        },
      },
      { tags: [{ key: 'purpose', value: 'example' }] },
    ),
  )
  console.log(`created ${created.name} at ${created.timeCreated.toISOString()}`)

  for await (const disk of itemsOf(client, op.diskSortedList, { query: { project } }))
    console.log(`${disk.name} ${disk.size / 1024 ** 3} GiB ${disk.state.state}`)

  await unwrap(client(op.diskDelete, { path: { disk: created.name }, query: { project } }))
  console.log(`deleted ${created.name}`)
} catch (error) {
  if (!(error instanceof RefusedError)) throw error
  console.error(error.message, error.help ?? '')
  process.exitCode = 1
}
