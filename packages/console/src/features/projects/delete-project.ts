import * as op from '@gantry/api/client/operations.gen'
import { call } from '#/data/client.ts'
import { Failure } from '#/data/failure.ts'
import { heldBy, inTheWay } from './in-the-way.ts'

/**
 * Deletes a project, and the network that it was made with where that is all it holds: the API deletes nothing
 * that is in a project, and no project begins without this network. Whatever else is in it stays, and all of it is named.
 */
export async function deleteProject(project: string, remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove()
  } catch (refusal) {
    if (!isAboutContents(refusal)) throw refusal
    // The server names one object, and each attempt would find the next.
    const help = inTheWay(await heldBy(project))
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

/** The API names what is in the way in a fixed order, so instances, disks, addresses and images are gone by then. */
export const isAboutDefaultVpc = (refusal: unknown): boolean =>
  refusal instanceof Failure &&
  refusal.statusCode === 400 &&
  /contains a vpc: default$/i.test(refusal.message)

/** Whether it was refused for something that the project holds. */
const isAboutContents = (refusal: unknown): refusal is Failure =>
  refusal instanceof Failure && refusal.statusCode === 400 && / contains /.test(refusal.message)

async function removeDefaultVpc(project: string): Promise<void> {
  const query = { project, vpc: 'default' }
  const { data } = await call(op.vpcSubnetList, { query: { ...query, limit: 1000 } })
  for (const { name } of data.items) await call(op.vpcSubnetDelete, { path: { subnet: name }, query })
  await call(op.vpcDelete, { path: { vpc: 'default' }, query: { project } })
}
