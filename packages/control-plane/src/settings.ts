import { ipNetProblem } from '@gantry/api/ip.rules'
import { z } from 'zod'

const seconds = (fallback: number) => z.number().int().min(1).max(86_400).default(fallback)
const days = (fallback: number) => z.number().int().min(1).max(3650).default(fallback)
const count = (fallback: number, least = 1) => z.number().int().min(least).max(1_000_000).default(fallback)

const network = z.string().superRefine((text, context) => {
  const message = ipNetProblem(text)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

/**
 * What an operator may set, read from the file of `gantry serve --settings`. Every key has a default, so that no file
 * at all is a good choice. One section for each concern; what a key means is said here and in `docs/settings.md`.
 */
export const Settings = z.strictObject({
  audit: z
    .strictObject({
      /** Records of the audit log are removed after so many days. */
      retention_days: days(365),
      /** Names that were tried at sign-ins that failed are removed after so many days. */
      failed_sign_in_retention_days: days(30),
      /** Counts of requests that came too often are removed after so many days. */
      refused_often_retention_days: days(30),
    })
    .prefault({}),
  limits: z
    .strictObject({
      /** Serial consoles that one person, and that all people of one machine, may have open in a process. */
      consoles_per_person: count(20),
      consoles_per_machine: count(50),
      /** Streams of changes that one person may follow at once in a process: one for each open tab of the console. */
      streams_per_person: count(50),
      /** Sessions that one person may have: at that many, a sign-in ends the one that was used longest ago. */
      sessions_per_person: count(100),
      /** Access tokens that one person may have. */
      tokens_per_person: count(100),
      /** Requests that one person may send to a process: a second, in a burst, and at the same time. */
      requests_per_second: count(300),
      request_burst: count(3000),
      requests_at_once: count(16),
      /** Rows of each kind within one parent, those without a quota included (`kernel/row-limits.ts`). */
      rows: z
        .strictObject({
          project: count(10_000),
          silo_user: count(100_000),
          silo_group: count(10_000),
          certificate: count(100),
          saml_identity_provider: count(50),
          ssh_key: count(200),
          instance: count(20_000),
          disk: count(50_000),
          snapshot: count(50_000),
          image: count(2000),
          image_upload: count(200),
          floating_ip: count(10_000),
          affinity_group: count(5000),
          anti_affinity_group: count(5000),
          vpc: count(1000),
          vpc_subnet: count(1000),
          vpc_router: count(1000),
          internet_gateway: count(1000),
          router_route: count(1000),
        })
        .prefault({}),
    })
    .prefault({}),
  /** Requests of this server to addresses that somebody else chose, such as metadata of an identity provider. */
  egress: z
    .strictObject({
      /** Networks that they may reach besides the public internet. */
      allowed_networks: z.array(network).max(100).default([]),
    })
    .prefault({}),
  sign_in: z
    .strictObject({
      /** Passwords that are checked at the same time in one process: each takes a thread and 19 MiB. */
      password_checks_at_once: z.number().int().min(1).max(64).default(2),
      /** Sign-ins that may wait for that; more are refused for a few seconds. */
      password_checks_waiting: z.number().int().min(1).max(10_000).default(100),
      /** For so many days a browser is known from which somebody signed in. */
      known_device_days: days(180),
    })
    .prefault({}),
  http: z
    .strictObject({
      /** Connections at once, of everybody. */
      connections: count(4096, 16),
      /** Connections at once of one address; with `--trust-proxy` all are the proxy's, and it has to bound them. */
      connections_per_address: count(512, 2),
      /** Requests being answered at once, of everybody; streams of events do not count once they are open. */
      requests: count(2048, 16),
      /** The same, of one address. */
      requests_per_address: count(256, 2),
      /** Requests that a connection of HTTP/1.1 sends ahead of their answers; browsers send one. */
      requests_per_connection: count(32, 2),
      /** Requests at once on a connection of HTTP/2, streams of events included. */
      streams_per_connection: count(128, 2),
      /** The header of a request has so long to arrive. */
      header_seconds: seconds(20),
      /** A whole request has so long to arrive: a piece of an image over a slow line is the longest. */
      request_seconds: seconds(300),
    })
    .prefault({}),
  database: z
    .strictObject({
      /** A statement of a request may take so long on a PostgreSQL server; then it is answered by 503. */
      statement_seconds: z.number().int().min(1).max(3600).default(15),
    })
    .prefault({}),
  storage: z
    .strictObject({
      /**
       * Bytes of the volume of the data directory that disks, images and snapshots leave free. By itself a twentieth of
       * it, at least 1 GiB and at most 16 GiB, and never more than a quarter.
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
