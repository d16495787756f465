// @chunk plates: of pages of single objects, which lists do not need.
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

/** Items shared by most plates. */

export const DescriptionItem = ({ description }: { description: string }) => (
  <DataItem label="Description">{description || <EmptyCell />}</DataItem>
)

/** As wide as the panel, which just fits an id. */
export const WideIdItem = ({ id }: { id: string }) => (
  <DataItem label="ID" wide>
    <CopyableId id={id} max={40} />
  </DataItem>
)

interface Times {
  timeCreated: Date
  timeModified: Date
}

/** Creation and last change. */
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
