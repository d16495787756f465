import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { unlessMissing } from '#src/blocks/block-files-io'

/** The driver's folder in a data directory. */
export const fleetFolder = (dataDir: string): string => path.join(dataDir, 'fleet')

/** The driver's files and folders, by its own folder. */
export const volumesFolder = (fleet: string): string => path.join(fleet, 'volumes')
export const machinesFolder = (fleet: string): string => path.join(fleet, 'machines')
export const networksFolder = (fleet: string): string => path.join(fleet, 'networks')
/** Folders beside those of VPCs: of the host's side, and of an ordinary user's namespaces. */
export const [HOST_FOLDER, USER_FOLDER] = ['host', 'user']
/** Ids of the machines that have a folder. */
export const machineIds = async (fleet: string): Promise<ReadonlySet<string>> =>
  new Set(await unlessMissing(readdir(machinesFolder(fleet))))
/** Announces that the host shuts down. */
export const shutdownFile = (fleet: string): string => path.join(fleet, 'shutdown')
/** The id of the host. */
export const hostFile = (fleet: string): string => path.join(fleet, 'host')
/** The file with the installation's tag, which names its processes and links on the host. */
export const tagFile = (fleet: string): string => path.join(fleet, 'id')
/** The bytes of a volume, in the volume's folder. */
export const volumeFile = (volume: string): string => path.join(volume, 'data')
