/** An item with a due time, which can change while the item waits. */
export interface Due {
  readonly dueAt: number;
}

/** A heap by due time, earliest first. Entries whose item has another due time by now are ignored. */
export interface DueQueue<Item extends Due> {
  push(item: Item): void;
  /** Removes and returns all due items. */
  takeDue(now: number): readonly Item[];
  /** Returns the earliest due time; `Infinity` when nothing waits. */
  earliest(): number;
}

export function dueQueue<Item extends Due>(isWaiting: (item: Item) => boolean): DueQueue<Item> {
  const heap: { readonly at: number; readonly item: Item }[] = [];

  const swap = (left: number, right: number): void => {
    const [one, other] = [heap[left], heap[right]];
    if (one === undefined || other === undefined) return;
    heap[left] = other;
    heap[right] = one;
  };
  const timeAt = (index: number): number => heap[index]?.at ?? Infinity;
  const pop = (): void => {
    swap(0, heap.length - 1);
    heap.pop();
    for (let index = 0; ;) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      const child = timeAt(right) < timeAt(left) ? right : left;
      if (timeAt(child) >= timeAt(index)) return;
      swap(index, child);
      index = child;
    }
  };
  const dropStale = (): void => {
    for (let first = heap[0]; first !== undefined; first = heap[0]) {
      if (first.at === first.item.dueAt && isWaiting(first.item)) return;
      pop();
    }
  };

  return {
    push(item) {
      heap.push({ at: item.dueAt, item });
      for (let index = heap.length - 1; index > 0;) {
        const parent = (index - 1) >> 1;
        if (timeAt(parent) <= timeAt(index)) return;
        swap(index, parent);
        index = parent;
      }
    },
    takeDue(now) {
      const due: Item[] = [];
      for (dropStale(); timeAt(0) <= now; dropStale()) {
        const [first] = heap;
        if (first !== undefined) due.push(first.item);
        pop();
      }
      return due;
    },
    earliest() {
      dropStale();
      return timeAt(0);
    },
  };
}
