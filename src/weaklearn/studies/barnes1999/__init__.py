"""Jeremy Barnes, Capacity Control in Boosting using a p-Convex Hull (1999)."""
