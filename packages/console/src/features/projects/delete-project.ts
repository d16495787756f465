import { protectionHelp } from '@gantry/api/history/protection.rules'
import * as op from '@gantry/api/client/operations.gen'
import { call } from '#/data/client.ts'
import { Failure } from '#/data/failure.ts'
import { callOr } from '#/data/fallback.ts'
import { noProtections } from '#/features/protection/queries.ts'
import { whyProtected } from '#/features/protection/words.ts'
import { findBlockers, blockersSentence } from './blockers-sentence.ts'

/**
 * Deletes a project, and its default network if that is all it contains: the API refuses to delete a project with
 * contents, and creates every project with this network. Anything else stays and is listed.
 */
export async function deleteProject(project: string, remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove()
  } catch (refusal) {
    if (!isAboutContents(refusal)) throw refusal
    // The server names one object, and each attempt would find the next.
    const help = blockersSentence(await findBlockers(project))
    if (help) {
      const { message, errorCode, statusCode, requestId } = refusal
      throw new Failure({
        message,
        statusCode,
        help,
        ...(errorCode && { errorCode }),
        ...(requestId && { requestId }),
      })
    }
    if (!isAboutDefaultVpc(refusal)) throw refusal
    await removeDefaultVpc(project)
    await remove()
  }
}

/** The API reports blockers in a fixed order, so instances, disks, addresses and images are gone by then. */
export const isAboutDefaultVpc = (refusal: unknown): boolean =>
  refusal instanceof Failure &&
  refusal.statusCode === 400 &&
  /contains a vpc: default$/i.test(refusal.message)

/** Whether the refusal concerns the project's contents. */
const isAboutContents = (refusal: unknown): refusal is Failure =>
  refusal instanceof Failure && refusal.statusCode === 400 && /to be deleted contains /.test(refusal.message)

class SubnetInUse extends Failure {
  constructor(name: string) {
    super({
      message: `An interface still uses the subnet ${name}`,
      statusCode: 0,
      help: 'It belongs to an instance or to a probe. Only operators see probes, and can delete it.',
    })
  }
}

/** Before its subnets are deleted, because the server would refuse only after that. */
async function refuseProtectedVpc(project: string): Promise<void> {
  const { data: vpc } = await call(op.vpcView, { path: { vpc: 'default' }, query: { project } })
  const { data } = await callOr(op.protectionList, { query: { project, limit: 1000 } }, {}, noProtections)
  const why = whyProtected(
    data.items.find(({ id }) => id === vpc.id),
    'delete',
  )
  if (why)
    throw new Failure({ message: `Its default network stays. ${why}`, statusCode: 0, help: protectionHelp })
}

async function removeDefaultVpc(project: string): Promise<void> {
  const query = { project, vpc: 'default' }
  const { data } = await call(op.vpcSubnetList, { query: { ...query, limit: 1000 } })
  await refuseProtectedVpc(project)
  // Before anything is deleted: an interface may belong to a probe, which only operators see.
  for (const { name } of data.items) {
    const path = { subnet: name }
    const used = await call(op.vpcSubnetListNetworkInterfaces, { path, query: { ...query, limit: 1 } })
    if (used.data.items.length > 0) throw new SubnetInUse(name)
  }
  for (const { name } of data.items) await call(op.vpcSubnetDelete, { path: { subnet: name }, query })
  await call(op.vpcDelete, { path: { vpc: 'default' }, query: { project } })
}
