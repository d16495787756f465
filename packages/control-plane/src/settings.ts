import { tagKeyProblem } from '@gantry/api/tags/tag.rules'
import { tagLabel } from '@gantry/api/tags/tag-label.rules'
import { ipNetProblem } from '@gantry/api/base/ip.rules'
import { recycleBinHours } from '@gantry/api/history/recycle-bin.rules'
import { z } from 'zod'
import { limitedKinds } from './lookup/kinds.ts'

/** The longest time between two rounds of samples. */
export const longestRoundSeconds = 600

const seconds = (fallback: number) => z.number().int().min(1).max(86_400).default(fallback)
const days = (fallback: number) => z.number().int().min(1).max(3650).default(fallback)
const count = (fallback: number, least = 1) => z.number().int().min(least).max(1_000_000).default(fallback)

const network = z.string().superRefine((text, context) => {
  const message = ipNetProblem(text)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

/** Settings are part of support bundles, so that no secret may be in a URL. */
const engineUrl = z.url({ protocol: /^https?$/, abort: true }).refine((text) => {
  const { username, password } = new URL(text)
  return username === '' && password === ''
}, 'must not hold credentials: name a token_file')

/**
 * Operator settings, read from the file of `gantry serve --settings`. Every key has a default, so the file is
 * optional. One section per concern; keys are documented here and in `docs/settings.md`, which a test compares.
 */
export const Settings = z.strictObject({
  audit: z
    .strictObject({
      /** Days to keep audit log records. */
      retention_days: days(365),
      /** Days to keep what a recorded operation changed: the objects before and after. */
      changes_retention_days: days(365),
      /** Days to keep names tried at failed sign-ins. */
      failed_sign_in_retention_days: days(30),
      /** Days to keep counts of rate-limited requests. */
      refused_often_retention_days: days(30),
    })
    .prefault({}),
  retention: z
    .strictObject({
      /** Days to keep changes for change streams; those of recorded requests are kept for longer (`audit`). */
      change_days: days(30),
      /** Days to keep finished jobs, for diagnosis. */
      job_days: days(7),
      /** Days to keep the reservations of virtual machines that have ended. */
      ended_machine_days: days(30),
      /** Days to keep the rows of deleted objects; names in the audit log are kept as long as its records. */
      deleted_days: days(90),
    })
    .prefault({}),
  recycle_bin: z
    .strictObject({
      /** Hours for which silos keep what is deleted, unless they say otherwise; 0 deletes everything for good at once. */
      hours: z.number().int().min(recycleBinHours.min).max(recycleBinHours.max).default(24),
    })
    .prefault({}),
  limits: z
    .strictObject({
      /** Open serial consoles per user, and per instance across all users, in one process. */
      consoles_per_person: count(20),
      consoles_per_machine: count(50),
      /** Concurrent change streams per user in one process: one for each open tab of the console. */
      streams_per_person: count(50),
      /** Sessions per user: at the limit, a sign-in ends the one unused for longest. */
      sessions_per_person: count(100),
      /** Access tokens per user. */
      tokens_per_person: count(100),
      /** Requests per user to one process: rate per second, burst, and concurrency. */
      requests_per_second: count(300),
      request_burst: count(3000),
      requests_at_once: count(16),
      /** Of these, requests with a long page or a large body. */
      heavy_requests_at_once: count(2),
      /** Objects that one filter may examine; lists of more name a project. */
      filter_examined_rows: count(150_000),
      /** Answers that a user has not taken yet, in MiB: further requests wait until some are sent. */
      unsent_mebibytes_per_person: count(64),
      /** Rows of each kind within one parent, including kinds without a quota (`change/row-limits.ts`). */
      rows: z
        .strictObject(
          Object.fromEntries(Object.entries(limitedKinds).map(([name, { limit }]) => [name, count(limit)])),
        )
        .prefault({}),
    })
    .prefault({}),
  /** The fleet of real machines (`--fleet qemu`). */
  fleet: z
    .strictObject({
      /** The host's interface on which external addresses are answered; without it, only the host reaches them. */
      external_interface: z
        .string()
        .regex(/^[^\s/"]{1,15}$/, 'must be the name of an interface of the host')
        .optional(),
      /** vCPUs that instances may have for each hardware thread of a host. */
      vcpus_per_thread: z.number().int().min(1).max(32).default(4),
      /** Between the starts of instances that ran until their host went down. */
      restart_spacing_seconds: z.number().int().min(0).max(600).default(5),
    })
    .prefault({}),
  /** Requests by this server to user-supplied addresses, such as an identity provider's metadata. */
  egress: z
    .strictObject({
      /** Networks they may reach besides the public internet. */
      allowed_networks: z.array(network).max(100).default([]),
    })
    .prefault({}),
  /** Backups of instances. */
  backups: z
    .strictObject({
      /** The folder below which backup targets of the type folder are; without it, there are none of that type. */
      folder: z
        .string()
        .regex(/^\/[^\0]{1,1000}$/, 'must be an absolute path')
        .optional(),
      /** Backups, verifications and restores that one process works on at once, half of them of one project. */
      at_once: z.number().int().min(1).max(32).default(2),
    })
    .prefault({}),
  sign_in: z
    .strictObject({
      /** Passwords checked concurrently in one process: each takes a thread and 19 MiB. */
      password_checks_at_once: z.number().int().min(1).max(64).default(2),
      /** Sign-ins that may queue for a check; more are refused for a few seconds. */
      password_checks_waiting: z.number().int().min(1).max(10_000).default(100),
      /** Days for which a browser is known after a sign-in. */
      known_device_days: days(180),
    })
    .prefault({}),
  http: z
    .strictObject({
      /** Concurrent connections in total. */
      connections: count(4096, 16),
      /**
       * Concurrent connections per address; with `--trust-proxy` all come from the proxy, which must limit
       * them.
       */
      connections_per_address: count(512, 2),
      /** Concurrent requests in total; event streams do not count once open. */
      requests: count(2048, 16),
      /** Concurrent requests per address. */
      requests_per_address: count(256, 2),
      /** Pipelined requests per HTTP/1.1 connection; browsers send one. */
      requests_per_connection: count(32, 2),
      /** Concurrent requests per HTTP/2 connection, including event streams. */
      streams_per_connection: count(128, 2),
      /** Deadline for receiving a request's header. */
      header_seconds: seconds(20),
      /** Deadline for receiving a whole request: a piece of an image over a slow line takes longest. */
      request_seconds: seconds(300),
      /** A connection ends whose peer takes nothing of its answer for this long. */
      unread_seconds: seconds(30),
    })
    .prefault({}),
  database: z
    .strictObject({
      /** Time limit for a request's statement on a PostgreSQL server; beyond it the answer is 503. */
      statement_seconds: z.number().int().min(1).max(3600).default(15),
    })
    .prefault({}),
  issues: z
    .strictObject({
      /** Seconds between two checks for issues that begin or end, after which alerts are sent. */
      check_seconds: z.number().int().min(1).max(60).default(60),
    })
    .prefault({}),
  metrics: z
    .strictObject({
      /** Whether this process takes samples; queries work either way. */
      sampling: z.boolean().default(true),
      /** Seconds between two rounds, each of which writes all samples since the one before. */
      round_seconds: z.number().int().min(10).max(longestRoundSeconds).multipleOf(10).default(10),
      /** Hours to keep samples as they were taken. */
      raw_hours: z.number().int().min(12).max(720).default(24),
      /** Days to keep one sample a minute. */
      minute_days: days(14),
      /** Days to keep one sample an hour, and what was provisioned. */
      hour_days: days(365),
      /** Samples that one query may read (control plane reference, B 20.11). */
      query_points: z.number().int().min(1000).max(10_000_000).default(1_000_000),
      /** Seconds that one query may take. */
      query_seconds: seconds(10),
      /** Keys of tags that Prometheus gets as labels of instances: each value is a timeseries of its own there. */
      prometheus_tags: z
        .array(z.string().refine((key) => tagKeyProblem(key) === undefined, 'this is no key of a tag'))
        .max(10)
        .refine(
          (keys) => new Set(keys.map(tagLabel)).size === keys.length,
          'two of these keys are the same label in Prometheus',
        )
        .default([]),
      /** Keeps samples in an existing time-series engine instead of the database. */
      engine: z
        .strictObject({
          /** Where it takes samples by Prometheus remote write. */
          write_url: engineUrl,
          /** Where it answers Prometheus remote read. */
          read_url: engineUrl,
          /** A file with a bearer token for both. */
          token_file: z.string().min(1).optional(),
          /** Seconds that one request may take. */
          timeout_seconds: seconds(30),
        })
        .optional(),
    })
    .prefault({}),
  support_bundles: z
    .strictObject({
      /** Support bundles that exist at the same time. */
      at_most: z.number().int().min(1).max(100).default(10),
      /** Maximum size of a bundle in MiB; a larger one fails. */
      mebibytes: z.number().int().min(1).max(512).default(64),
    })
    .prefault({}),
  updates: z
    .strictObject({
      /** Maximum size of a repository in MiB, packed and unpacked (control plane reference, A 3). */
      repository_mebibytes: z.number().int().min(1).max(16_384).default(4096),
    })
    .prefault({}),
  image_conversion: z
    .strictObject({
      /** Maximum size of an image that an uploaded file is converted to, in GiB. */
      max_gibibytes: z.number().int().min(1).max(1023).default(1023),
      /** Conversions that run concurrently in one process; more wait. */
      at_once: z.number().int().min(1).max(64).default(2),
      /** Minutes that one may take. */
      minutes: z.number().int().min(1).max(1440).default(240),
      /** Memory that a tool may use, in MiB. */
      memory_mebibytes: z.number().int().min(512).max(65_536).default(1024),
    })
    .prefault({}),
  /** Images from files that the server fetches from URLs. */
  image_import: z
    .strictObject({
      /** Maximum size of a file, in GiB. */
      max_gibibytes: z.number().int().min(1).max(1023).default(100),
      /** Files that one process fetches at once, of which one project has half at most; more wait. */
      at_once: z.number().int().min(1).max(6).default(4),
      /** Hours that one may take. */
      hours: z.number().int().min(1).max(168).default(24),
      /** Networks that files are fetched from besides the public internet: users can read whatever answers there. */
      allowed_networks: z.array(network).max(100).default([]),
    })
    .prefault({}),
  storage: z
    .strictObject({
      /**
       * Bytes that disks, images and snapshots leave free on the data directory's volume. Default: a
       * twentieth of it, at least 1 GiB and at most 16 GiB, and never more than a quarter.
       */
      reserve_bytes: z
        .union([
          z.literal('auto'),
          z
            .number()
            .int()
            .min(0)
            .max(2 ** 50),
        ])
        .default('auto'),
    })
    .prefault({}),
})
export type Settings = z.infer<typeof Settings>

export const defaultSettings: Settings = Settings.parse({})
