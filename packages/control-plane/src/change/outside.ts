import type { Tables } from '../db/tables.ts'

/**
 * The exceptions to the rule that `change.ts` is the only way to write: tables that are also written outside of a
 * change, and columns of objects that leave no change record. Besides these, the files of `db/` write whole tables:
 * a migration, a restore, resealing, and forgetting what is past its retention. `outside.test.ts` finds every such
 * write; a user must never miss one on the stream of changes or in the audit log.
 */
export const outsideChanges = {
  // Leases, retries and outcomes of work, and repairs after a clock jump (`work/clock.ts`).
  job: 'leases, and what became of it',
  alert_delivery: 'leases and retries of deliveries',
  metric_watch: 'leases, and what the evaluation of a saved query found',
  vpc_network: 'leases, and what the fleet has accepted of a network',
  vmm: 'what the fleet has accepted of a machine',
  update_component: 'repair after a clock jump',
  switch_port: 'repair after a clock jump',

  // Requests that change nothing that others see.
  console_session: 'when it was last used, and its end by time',
  device_auth_request: 'repair after a clock jump',
  device_access_token: 'repair after a clock jump',
  attempt: 'rate limits of guesses',
  failed_sign_in: 'sign-ins that failed',
  refused_often: 'counts of rate-limited requests',
  audit: 'refused requests, and sessions of consoles',

  // Bytes and progress of uploads: thousands of pieces make one upload.
  image_upload: 'progress of its conversion',
  image_upload_range: 'byte ranges received',
  image_import: 'failed attempts to fetch a file',
  update_upload: 'bytes received',

  // Attempts that failed at a target of backups, which are made again.
  backup_work: 'failed attempts',
  instance_backup_restore: 'failed attempts',

  // Observations, of which there are many.
  issue_episode: 'open and past issues of pools, quotas and instances',
  issue_acknowledgement: 'those of issues that are over go',
  last_output: 'what a machine printed before it ended',
  screen_viewer: 'who watches a screen now, and who is at its keyboard',
  metric_progress: 'samples',
  metric_lane: 'samples',
  metric_head: 'samples',
  metric_block: 'samples',
  timeseries: 'samples',
  timeseries_name: 'samples',
  provisioned: 'samples',

  // Sums of what change records say, closed day by day.
  usage_unit: 'how far a project is counted',
  usage_level: 'what it had then',
  usage_month: 'what it used',
  usage_day: 'what it used',
  usage_silo_day: 'what its silo used',

  // The simulated rack is a fleet, whose state is its own.
  simulated_vm: 'the simulated rack',
  guest: 'the simulated rack',

  // Where the next search for a free address begins: it is not visible, and only a hint.
  vpc: 'no MAC address below is free',
  vpc_subnet: 'no IP address below is free',
  // Told by the changes of its interfaces.
  instance: 'whether it has interfaces, for lists',

  // Of the installation.
  change: 'its number, in the order of commits',
  counter: 'numbers of changes and epochs',
  instance_action: 'retention',
  instance_action_item: 'retention',
  schedule_made: 'retention',
  schedule_run: 'retention',
  schedule_run_item: 'retention',
  signing_key: 'made by the first start',
  fleet_identity: 'written by the first start',
} as const satisfies { readonly [Table in keyof Tables]?: string }
