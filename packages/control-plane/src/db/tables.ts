import type { Insertable, Selectable, Updateable } from 'kysely'
import type { PeoplePlain, PeopleTracked, RoleTables } from './tables/people.ts'
import type { SignInPlain, SignInTracked } from './tables/sign-in.ts'
import type { BackupsPlain, BackupsTracked } from './tables/backups.ts'
import type { ComputePlain, ComputeTracked } from './tables/compute.ts'
import type { StoragePlain, StorageTracked } from './tables/storage.ts'
import type { NetworkPlain, NetworkTracked } from './tables/network.ts'
import type { HardwarePlain, HardwareTracked } from './tables/hardware.ts'
import type { SimulatedFleetPlain } from './tables/simulated-fleet.ts'
import type { SystemNetworkPlain, SystemNetworkTracked } from './tables/system-network.ts'
import type { SystemPlain, SystemTracked } from './tables/system.ts'
import type { UpdatePlain, UpdateTracked } from './tables/update.ts'
import type { MetricsPlain, MetricsTracked } from './tables/metrics.ts'
import type { SchedulesPlain, SchedulesTracked } from './tables/schedules.ts'
import type { ChangesPlain } from './tables/changes.ts'
import type { UsagePlain } from './tables/usage.ts'

export type { CounterTable, RoleTables } from './tables/people.ts'
export type { AuthMethod, Credential, KeptTestResult, PasskeyUse } from './tables/sign-in.ts'
export type { PortSettingsContents, StoredPeer } from './tables/system-network.ts'
export type { SupportBundleFile } from './tables/system.ts'
export type { AuditActor } from './tables/changes.ts'

/** User-visible objects, which have history. The tables of each area are in `tables/`. */
export interface TrackedTables
  extends
    PeopleTracked,
    SignInTracked,
    BackupsTracked,
    ComputeTracked,
    StorageTracked,
    NetworkTracked,
    HardwareTracked,
    SystemNetworkTracked,
    SystemTracked,
    UpdateTracked,
    MetricsTracked,
    SchedulesTracked {}

/** Internal rows that users never see as objects; `change/outside.ts` lists those also written outside of a change. */
export interface PlainTables
  extends
    PeoplePlain,
    SignInPlain,
    BackupsPlain,
    ComputePlain,
    StoragePlain,
    NetworkPlain,
    HardwarePlain,
    SimulatedFleetPlain,
    SystemNetworkPlain,
    SystemPlain,
    UpdatePlain,
    MetricsPlain,
    SchedulesPlain,
    ChangesPlain,
    UsagePlain {}

export interface Tables extends TrackedTables, PlainTables, RoleTables {}

export type TrackedName = keyof TrackedTables
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>
export type Patch<Name extends keyof Tables> = Updateable<Tables[Name]>
