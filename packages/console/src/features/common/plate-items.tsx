import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem } from '#/ui/DataPlate.tsx'
import { DateTime } from '#/ui/DateTime.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'

/** Items that the plates of most things have. */

export const DescriptionItem = ({ description }: { description: string }) => (
  <DataItem label="Description">{description || <EmptyCell />}</DataItem>
)

/** Across the whole of a panel, where an id just fits. */
export const WideIdItem = ({ id }: { id: string }) => (
  <DataItem label="ID" wide>
    <CopyableId id={id} max={40} />
  </DataItem>
)

interface Times {
  timeCreated: Date
  timeModified: Date
}

/** When it was made and when it was changed last. */
export const TimeItems = ({ of, changed }: { of: Times; changed: 'Updated' | 'Last Modified' }) => (
  <>
    <DataItem label="Created">
      <DateTime value={of.timeCreated} />
    </DataItem>
    <DataItem label={changed}>
      <DateTime value={of.timeModified} />
    </DataItem>
  </>
)
