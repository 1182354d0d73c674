// Judges transformed targets, one after another: receives orders, sends what the suite said.
import type { Order } from '../order.ts';
import { runOrder } from '../run-order.ts';

// A run that fails ends the process, so that its parent notices.
process.on('message', (order: Order) => {
  void runOrder(order).then((judged) => process.send?.(judged));
});
