import { Failure } from '#/data/failure.ts'
import { type InstanceValues, queuedName } from './values.ts'

type Refused = Pick<Failure, 'errorCode' | 'message' | 'takenName'>

const isDiskName = ({ errorCode, message }: Refused): boolean =>
  errorCode === 'ObjectAlreadyExists' && /^disk\b/i.test(message)

/** The field of a taken name: the instance's own, or its boot disk's, which was generated if left blank. */
export function fieldOf(
  refused: Refused,
  { bootSource, bootDiskName }: Pick<InstanceValues, 'bootSource' | 'bootDiskName'>,
): 'name' | 'bootDiskName' | undefined {
  if (!isDiskName(refused)) return refused.errorCode === 'ObjectAlreadyExists' ? 'name' : undefined
  const isBootDisk = bootDiskName === '' || bootDiskName === refused.takenName
  return bootSource !== 'disk' && isBootDisk ? 'bootDiskName' : undefined
}

/**
 * Names an additional disk whose name is taken, because no field shows it. The error code goes, which would make the
 * form attribute the refusal to a field.
 */
export function namingDisk(failure: Failure, { disks }: Pick<InstanceValues, 'disks'>): Failure {
  const { message, statusCode, requestId, takenName } = failure
  const isAdditional = disks.some((disk) => disk.type !== 'attach' && queuedName(disk) === takenName)
  if (!isAdditional || !isDiskName(failure)) return failure
  const help = `Remove disk ${takenName}, then create it with another name.`
  return new Failure({ message, help, statusCode, ...(requestId && { requestId }) })
}
