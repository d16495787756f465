/** A host that runs machines. */
export interface Host {
  /** Stays the same for as long as the host keeps its machines. */
  id: string
  /** Its name for operators. */
  name: string
  /** How it runs machines, for operators: an engine with its version, and whether it uses the processor's virtualization. */
  engine: string
  /** Hardware threads, which vCPUs share (the setting `fleet.vcpus_per_thread`). */
  threads: number
  /** Bytes of memory. */
  memory: number
  /** Bytes of memory for machines. */
  reservoir: number
  /** Bytes of the volume that holds disks, images and snapshots. */
  storage: number
  /** Bytes of it that are free. */
  storage_free: number
  /** Whether its machines can be managed now; its capacity is kept while they cannot. */
  is_reachable: boolean
}

/** The hosts of a fleet that finds them itself. */
export interface Hosts {
  list: () => Promise<Host[]>
}
