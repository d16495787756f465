import type { OpName } from '@gantry/api/registry'
import { repairSessions } from '../authz/session.ts'
import type { Repair } from '../work/clock.ts'
import type { Handlers } from '../pipeline/implement.ts'
import { jobsByName } from '../change/define-job.ts'
import { repairJobs } from '../work/jobs.ts'
import type { Reconciler } from '../work/loop.ts'
import { allHandlers } from './handlers.gen.ts'
import { autoRestart } from './compute/machines/auto-restart.ts'
import { machineReports } from './compute/machines/machine-reports.ts'
import { resumeInterrupted } from './compute/machines/resume.ts'
import { machineSweep } from './compute/machines/sweep.ts'
import { instanceAction } from './compute/bulk/job.ts'
import { actionOutcomes } from './compute/bulk/outcomes.ts'
import { actionRetention } from './compute/bulk/retention.ts'
import { vmStart } from './compute/machines/vm-start.ts'
import { alertDeliveries, repairDeliveries } from './alerts/deliver.ts'
import { alertRetention, alertWatch } from './alerts/watch.ts'
import { sledDrain } from './compute/drain/job.ts'
import { sledExpunge } from './hardware/expunge.ts'
import { hostSleds } from './hardware/hosts.ts'
import { repairNetworks, vpcNetworks } from './network/in-force/network-loop.ts'
import { metricsUpkeep } from './metrics/sampling/sampler.ts'
import { repairWatches, metricWatch } from './metrics/saved/watch.ts'
import { repairSignIn, signInRetention } from './sign-in/sessions/retention.ts'
import { contentRemoval } from './storage/content-removal.ts'
import { diskContent } from './storage/content.ts'
import { imageDigest } from './storage/image-digest.ts'
import { snapshotContent } from './storage/snapshots.ts'
import { repairRanges } from './storage/upload-ranges.ts'
import { uploadUpkeep } from './storage/upload-background.ts'
import { uploadConversion } from './storage/upload-conversion.ts'
import { uploadCompletion, uploadContent } from './storage/upload-jobs.ts'
import { bundleCollection, bundleRemoval } from './support-bundles/collect.ts'
import { issueWatch } from './system/episodes.ts'
import { repairPorts } from './system-network/ports.ts'
import { networkTrial } from './system-network/trials.ts'
import { systemUpdate } from './update/step.ts'
import { uploadVerification } from './update/upload-jobs.ts'
import { repairUpdates, updateUploadUpkeep } from './update/upload-background.ts'

/** Every operation of the contract with its handler: a forgotten one does not compile. */
export const handlers: Handlers<OpName> = allHandlers

export const jobs = jobsByName([
  bundleCollection,
  bundleRemoval,
  contentRemoval,
  diskContent,
  imageDigest,
  instanceAction,
  networkTrial,
  sledDrain,
  sledExpunge,
  snapshotContent,
  uploadCompletion,
  uploadConversion,
  uploadContent,
  uploadVerification,
  vmStart,
])

export const reconcilers: readonly Reconciler[] = [
  machineReports,
  machineSweep,
  hostSleds,
  vpcNetworks(),
  autoRestart,
  resumeInterrupted,
  actionRetention,
  actionOutcomes(),
  signInRetention,
  uploadUpkeep,
  issueWatch,
  metricsUpkeep,
  metricWatch,
  alertWatch,
  alertDeliveries(),
  alertRetention,
  systemUpdate,
  updateUploadUpkeep,
]

/** Each module's repairs after the clock went back. */
export const repairs: readonly Repair[] = [
  repairJobs,
  repairSessions,
  repairSignIn,
  repairRanges,
  repairWatches,
  repairPorts,
  repairDeliveries,
  repairUpdates,
  repairNetworks,
  (services) => services.fleet.repairTimes(),
]
