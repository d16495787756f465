/** Values that cases of several resources send. */
export const GiB = 1024 ** 3
export const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
export const project = { project: 'playground' }
export const named = { name: 'new-one', description: '' }
export const instance = { path: { instance: 'nobody' }, query: project }
export const silo = { silo: 'demo' }
export const atSilo = { path: { silo_name: 'demo' } }
export const inVpc = { ...project, vpc: 'default' }
export const inTime = { start_time: '2025-01-01T00:00:00Z' }
export const aQuery = 'get virtual_disk:bytes_read | filter timestamp > @now() - 1m'
export const notBegun = 'the sign-in has ended or was never started'

/** Places in the scene of the policy's tests. */
export const atlas = 'project=atlas'
export const ofVpc = `${atlas}&vpc=default`
export const hardware = '/v1/system/hardware'
export const network = '/v1/system/networking'
export const extNetwork = '/ext/v1/system/networking'

let count = 0
/** A number that no other request has. */
export const next = () => ++count
/** A fresh name. */
export const fresh = () => `fresh-${next()}`
export const plain = () => ({ name: fresh(), description: '' })

const blank = { type: 'blank', block_size: 512 }
export const newDisk = (name: string) => ({ name, description: '', size: GiB, disk_source: blank })
export const groupOf = (name: string) => ({ name, description: '', policy: 'allow', failure_domain: 'sled' })
export const newUpload = (name: string) => ({
  name,
  description: '',
  os: '',
  version: '',
  block_size: 512,
  size: GiB,
})
export const newImport = (name: string) => ({
  name,
  description: '',
  os: '',
  version: '',
  block_size: 512,
  url: 'https://images.test/disk.raw',
})
export const machine = (name: string) => ({
  name,
  description: '',
  ncpus: 1,
  memory: GiB,
  hostname: name,
  start: false,
})
